// javac's word on a source: one JSON line in, one out. Parsed only, so that no class path is needed.
import com.sun.source.util.JavacTask;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

public class JavaParse {
    public static void main(String[] args) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            int start = line.indexOf(":\"", line.indexOf("content")) + 2;
            var text = new String(
                Base64.getDecoder().decode(line.substring(start, line.indexOf('"', start))), StandardCharsets.UTF_8);
            var source = new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignore) {
                    return text;
                }
            };
            var found = new DiagnosticCollector<JavaFileObject>();
            var task = (JavacTask) compiler.getTask(null, null, found, List.of("-proc:none"), null, List.of(source));
            task.parse();
            boolean isValid = found.getDiagnostics().stream().noneMatch(one -> one.getKind() == Diagnostic.Kind.ERROR);
            System.out.println(isValid);
            System.out.flush();
        }
    }
}
