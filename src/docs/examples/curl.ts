import { type ExampleRequest, listHeaders } from './example-request.ts';

export function writeCurl(request: ExampleRequest): string {
  const { method, path, body, download } = request;
  const headers = listHeaders(request)
    // curl sets the Content-Type of a form itself.
    .filter(({ name }) => !(name === 'Content-Type' && body && 'file' in body))
    .map((header) =>
      'value' in header
        ? `-H '${header.name}: ${header.value}'`
        : `-H "${header.name}: ${header.prefix}$${header.variable}"`,
    );
  const words = [
    `curl -s --fail-with-body${method === 'GET' ? '' : ` -X ${method}`} "$URL${path}"`,
    ...headers,
    body && 'json' in body && `-d '${JSON.stringify(body.json).replaceAll("'", String.raw`'\''`)}'`,
    body && 'file' in body && `-F 'file=@${body.file};type=${body.mediaType}'`,
    download && `-o ${download}`,
  ];
  return words.filter(Boolean).join(' \\\n  ');
}
