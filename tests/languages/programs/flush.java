// Java: flush per record.
//: file a.tr managed opens=1 writes=1000
//: calls a.tr <= 20
import java.io.BufferedWriter;
import java.io.FileWriter;

class Flush {
    public static void main(String[] arguments) throws Exception {
        try (BufferedWriter out = new BufferedWriter(new FileWriter("a.tr", true))) {
            for (int i = 0; i < 1000; i++) {
                out.write(i + "\t" + i / 7.0 + "\trecord\n");
                out.flush();
            }
        }
    }
}
