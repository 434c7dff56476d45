import { WORST_BODIES } from '../floods/kinds.ts';
import { Client } from '../support/client.ts';
import type { Stage } from '../support/stage.ts';
import { castOf, play } from './floods.ts';

/** Duration of the flood; long enough for a few clients to send each of about 500 bodies. */
const SECONDS = 240;
const QUICK_SECONDS = 40;

/** One company sends the worst bodies that operations allow over every transport, while another calls as before. */
export async function bodies(stage: Stage): Promise<void> {
  const cast = await castOf(stage);
  await play(cast, WORST_BODIES, {
    seconds: stage.count(SECONDS, QUICK_SECONDS),
    prepare: async ({ url }) => {
      const client = new Client(url, cast.flooding[0].key);
      const { body } = await client.post('/sources', { kind: 'xapi', name: 'Learning system' });
      client.close();
      return { source: { id: body.data.id as string, secret: body.data.secret as string } };
    },
  });
}
