import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Reads the patterns, an empty line, and the texts. Each line has the decimal code points of one pattern or text. */
public class Engine {
  public static void main(String[] args) throws Exception {
    var lines = Files.readAllLines(Path.of(args[0]));
    var gap = lines.indexOf("");
    for (var line : lines.subList(0, gap)) {
      var pattern = Pattern.compile(textOf(line));
      var answer = new StringBuilder();
      for (var text : lines.subList(gap + 1, lines.size()))
        answer.append(pattern.matcher(textOf(text)).find() ? '1' : '0');
      System.out.println(answer);
    }
  }

  private static String textOf(String line) {
    var text = new StringBuilder();
    for (var code : line.split(" ")) text.appendCodePoint(Integer.parseInt(code));
    return text.toString();
  }
}
