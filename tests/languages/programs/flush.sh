# Shell: a redirection of the whole loop, by descriptor 1, where stdio writes unseen: not buffered.
#: file a.tr managed|write-through reason=UNSEEN|NONE opens=1
i=0
while [ $i -lt 1000 ]; do
    echo "$i record"
    i=$((i + 1))
done >> a.tr
