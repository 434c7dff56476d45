import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, workshop } from './check.ts';
import { execute, fetched } from './commands.ts';
import { generateWithJar } from './openapi-generator.ts';
import { copyPositional } from './positional-arguments.ts';

export const rustChecks: Check[] = [
  {
    language: 'Rust',
    generator: 'openapi-generator',
    async run(folder, program) {
      await execute('cargo', ['--version']);
      // The async client sends uploads without a Content-Length.
      await generateWithJar('rust', folder, ['--additional-properties=packageName=client,supportAsync=false']);
      await mkdir(join(folder, 'src/bin'));
      await copyPositional('openapi-generator.rs', join(folder, 'src/bin/call.rs'), 'None');
      await fetched('its crates', () => execute('cargo', ['fetch', '--quiet'], { cwd: folder }));
      // A fixed target folder lets the next run reuse the compiled crates. TLS is left out, because the demo does not
      // need it.
      const env = { ...program, CARGO_TARGET_DIR: join(workshop, 'rust') };
      const features = ['--no-default-features', '--bin', 'call'];
      await execute('cargo', ['build', '--quiet', '--offline', ...features], { cwd: folder, env });
      return execute(join(workshop, 'rust/debug/call'), [], { cwd: folder, env });
    },
  },
];
