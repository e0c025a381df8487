# S08: bash's >> per record: open, dup2 onto 1, close, write, dup2 back; and a descriptor kept open by exec.
# The descriptor comes under bash's own output stream, whose writes are libc's: nothing is buffered, and nothing gets lost.
#: file a.tr write-through reason=UNSEEN
#: file b.tr write-through reason=UNSEEN
#: calls a.tr b.tr <= 4970, not fewer
for ((i = 0; i < 300; i++)); do
    echo "$i record" >> a.tr
done
exec 5>> b.tr
for ((i = 0; i < 300; i++)); do
    echo "$i record" >&5
done
exec 5>&-
wc -c a.tr b.tr
{ echo one; echo two; } >> a.tr
printf '%s\n' three >> a.tr
[[ -s a.tr ]] && mapfile -t lines < a.tr && echo "${#lines[@]} ${lines[-1]}"
: > b.tr
echo again >> b.tr
echo "$(< b.tr)"
