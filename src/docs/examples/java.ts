import { type ExampleRequest, listHeaders } from './example-request.ts';

/** Writes the example for Java 17 or newer, with the standard library: one file that `java` runs. */
export function writeJava(request: ExampleRequest): string {
  const { operationId, method, path, body, download } = request;
  const usesFiles = download !== undefined || (body !== undefined && 'file' in body);
  const headers = listHeaders(request).map((header) => {
    const value =
      'value' in header
        ? quote(header.value)
        : `${header.prefix ? `${quote(header.prefix)} + ` : ''}System.getenv("${header.variable}")`;
    return `            .header(${quote(header.name)}, ${value})\n`;
  });
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
${usesFiles ? 'import java.nio.file.Path;\n' : ''}
class ${operationId.charAt(0).toUpperCase()}${operationId.slice(1)} {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("URL") + "${path}"))
${headers.join('')}            .method("${method}", ${writeBody(body)})
            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.${download ? `ofFile(Path.of("${download}"))` : 'ofString()'});
        if (response.statusCode() != 200) throw new IllegalStateException(response.statusCode() + ": " + response.body());
        System.out.println(response.body());
    }
}`;
}

function writeBody(body: ExampleRequest['body']): string {
  if (!body) return 'HttpRequest.BodyPublishers.noBody()';
  if ('file' in body) return `HttpRequest.BodyPublishers.ofFile(Path.of("${body.file}"))`;
  const lines = JSON.stringify(body.json, null, 2)
    .replaceAll('\\', String.raw`\\`)
    .split('\n')
    .map((line) => `                ${line}`);
  return `HttpRequest.BodyPublishers.ofString("""\n${lines.join('\n')}\n                """)`;
}

const quote = (text: string): string => JSON.stringify(text);
