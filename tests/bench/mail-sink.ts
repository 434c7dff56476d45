// A mail server that runs in a separate process, accepts every email and discards its content. Prints its port, and for
// each line on its standard input the number of emails so far.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

let received = 0;
const server = new SMTPServer({
  authOptional: true,
  disableReverseLookup: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  logger: false,
  onData: (stream, _session, answer) => {
    stream.resume().once('end', () => {
      received += 1;
      answer();
    });
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => console.log((server.server.address() as AddressInfo).port));
process.stdin.on('data', () => console.log(received)).once('end', () => process.exit());
