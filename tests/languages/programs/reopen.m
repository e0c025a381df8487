% Octave: fopen, fprintf, fclose per record.
%: file a.tr managed opens=1000 real_opens<=2
%: calls a.tr <= 1020
for i = 0:999
    out = fopen("a.tr", "a");
    fprintf(out, "%d\t%g\trecord\n", i, i / 7);
    fclose(out);
end
