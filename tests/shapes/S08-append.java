// S08: Java's FileWriter in append mode per record; a PrintWriter kept open with autoflush.
//: file a.tr managed opens=500 real_opens<=2
//: file b.tr managed opens=1
//: calls a.tr b.tr <= 1100
import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.PrintWriter;
import java.nio.file.Files;

class Append {
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 500; i++)
            try (FileWriter out = new FileWriter("a.tr", true)) {
                out.write(i + "\t" + i / 7.0 + "\trecord\n");
            }
        PrintWriter kept = new PrintWriter(new FileOutputStream("b.tr"), true);
        for (int i = 0; i < 500; i++)
            kept.println(i + "\trecord");
        System.out.println(new File("a.tr").length() + " " + new File("b.tr").length());
        System.out.println(Files.readAllLines(new File("a.tr").toPath()).size());
    }
}
