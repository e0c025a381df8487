// Java: a FileWriter per record.
//: file a.tr managed opens=1000 real_opens<=2
//: calls a.tr <= 1020
import java.io.FileWriter;

class Reopen {
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 1000; i++)
            try (FileWriter out = new FileWriter("a.tr", true)) {
                out.write(i + "\t" + i / 7.0 + "\trecord\n");
            }
    }
}
