% Octave: fflush per record.
%: file a.tr managed opens=1 writes=1000
%: calls a.tr <= 20
out = fopen("a.tr", "a");
for i = 0:999
    fprintf(out, "%d\t%g\trecord\n", i, i / 7);
    fflush(out);
end
fclose(out);
