# Shell: a redirection per record. It goes by descriptor 1, where stdio writes unseen: not buffered.
#: file a.tr managed|write-through reason=UNSEEN|NONE opens=1000
i=0
while [ $i -lt 1000 ]; do
    echo "$i record" >> a.tr
    i=$((i + 1))
done
