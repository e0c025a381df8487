# A library's descriptors sat on numbers that bash uses (10 and up, 255): the script chooses those, and {name} is given what is free natively.
#: file a.tr
echo begin >> a.tr
for number in 3 9 10 11 12 20 63 100 200 254; do
    eval "exec $number>> a.tr"
    echo "by $number" >&"$number"
done
for number in 3 9 10 11 12 20 63 100 200 254; do
    eval "exec $number>&-"
done
exec {one}>> a.tr {two}>> b.tr
echo "$one $two"
echo one >&"$one"
echo two >&"$two"
(echo "a subshell by $one" >&"$one")
wc -c < a.tr
exec {one}>&- {two}>&-
coproc cat
echo "through ${COPROC[1]} and ${COPROC[0]}"
echo sent >&"${COPROC[1]}"
read -r answer <&"${COPROC[0]}"
echo "$answer" >> a.tr
read -r first < <(cat a.tr)
echo "$first"
