# siblings.awk NAMES LEFT-OUT LIBC
#
# NAMES: an interposed name a line. LEFT-OUT: name and reason. LIBC: where a function
# is (library:address), name, version, for each function that libc exports.
# Prints "missing NAME (why)" for each function of libc that is a sibling of an interposed
# one and on neither list, and "stale NAME" for each name on the second list that libc
# doesn't export or that is interposed after all.
#
# Two functions are siblings when they are at one address, or when their names are the
# same without what libc's naming adds:
#   __ or _ before; 64, _2, _chk, _unlocked, a digit (dup3, pipe2) or v2 behind;
#   x in __xstat; f or l before and at behind (fchownat).
# Names that begin with _IO_ and those that end in _nocancel are libc's own; only one at
# the address of an interposed function counts.

function stem(n) {
	gsub(/64/, "", n)
	sub(/^_+/, "", n)
	while (sub(/(_chk|_unlocked|_2)$/, "", n))
		;
	sub(/v2$/, "v", n)
	sub(/[0-9]$/, "", n)
	if (n ~ /^[fl]?xstat(at)?$/ || n ~ /^xmknod(at)?$/)
		sub(/x/, "", n)
	return tolower(n)
}

function kin(n,   s, t) {
	s = stem(n)
	if (s in stems)
		return stems[s]
	t = s
	if (sub(/at$/, "", t) && t in stems)
		return stems[t]
	t = s
	if (sub(/^[fl]/, "", t) && t in stems)
		return stems[t]
	if (sub(/at$/, "", t) && t in stems)
		return stems[t]
	return ""
}

FILENAME == ARGV[1] { interposed[$1] = 1; stems[stem($1)] = $1; next }
FILENAME == ARGV[2] { left[$1] = 1; next }
{
	exported[$2] = 1
	at[$1] = at[$1] " " $2
}

END {
	for (place in at) {
		count = split(at[place], here, " ")
		twin = ""
		for (i = 1; i <= count; i++)
			if (here[i] in interposed)
				twin = here[i]
		for (i = 1; i <= count; i++) {
			name = here[i]
			if (name in interposed || name in left || name in said)
				continue
			why = twin
			if (why == "" && name !~ /^_IO_/ && name !~ /_nocancel$/)
				why = kin(name)
			if (why != "") {
				print "missing " name " (as " why ")"
				said[name] = 1
			}
		}
	}
	for (name in left)
		if (!(name in exported) || name in interposed)
			print "stale " name
}
