import { type ExampleRequest, listHeaders } from './example-request.ts';

/** Writes the example for Go, with the standard library. */
export function writeGo(request: ExampleRequest): string {
  const { method, path, body, download } = request;
  const packages = [
    body && 'file' in body ? 'bytes' : '',
    download ? '' : 'fmt',
    ...['io', 'log', 'net/http', 'os'],
    body && 'json' in body ? 'strings' : '',
  ].filter(Boolean);
  const headers = listHeaders(request).map((header) => {
    const value =
      'value' in header
        ? quote(header.value)
        : `${header.prefix ? `${quote(header.prefix)}+` : ''}os.Getenv("${header.variable}")`;
    return `\trequest.Header.Set(${quote(header.name)}, ${value})`;
  });
  return `package main

import (
${packages.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
${writeBody(body)}\trequest, err := http.NewRequest("${method}", os.Getenv("URL")+"${path}", ${body ? 'body' : 'nil'})
\tif err != nil {
\t\tlog.Fatal(err)
\t}
${headers.map((line) => `${line}\n`).join('')}\tresponse, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tdefer response.Body.Close()
\tdata, err := io.ReadAll(response.Body)
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tif response.StatusCode != http.StatusOK {
\t\tlog.Fatalf("%s: %s", response.Status, data)
\t}
${download ? `\tif err := os.WriteFile("${download}", data, 0o600); err != nil {\n\t\tlog.Fatal(err)\n\t}` : '\tfmt.Println(string(data))'}
}`;
}

function writeBody(body: ExampleRequest['body']): string {
  if (!body) return '';
  if ('json' in body) return `\tbody := strings.NewReader(${quoteText(JSON.stringify(body.json, null, 2))})\n`;
  return `\tfile, err := os.ReadFile("${body.file}")
\tif err != nil {
\t\tlog.Fatal(err)
\t}
\tbody := bytes.NewReader(file)
`;
}

/** Writes a raw string literal, or an interpreted one if the string has a backquote. */
function quoteText(text: string): string {
  return text.includes('`') ? quote(text) : `\`${text}\``;
}

const quote = (text: string): string => JSON.stringify(text);
