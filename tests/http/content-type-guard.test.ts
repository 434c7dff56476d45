import { keys } from '../support/world.ts';
import { send } from '../support/client.ts';

/** The validator compiles and caches a schema per content type, so it must see only one. */
test('arbitrary content types never reach the validator', async () => {
  const authorization = `Bearer ${keys.tenant}`;
  const body = JSON.stringify({ groupIds: 'wrong' });
  const warm = () =>
    send('POST', '/learners', { body, headers: { authorization, 'content-type': 'application/json' } });
  await warm();
  const compiled = testService.compiledValidators();
  for (let i = 0; i < 50; i++) {
    const types = [`application/json; x=${i}`, `application/x-${i}`, `APPLICATION/JSON;charset=UTF-8;y="${i}"`];
    for (const type of types)
      await send('POST', '/learners', { body, headers: { authorization, 'content-type': type } });
    await send('GET', '/company', { headers: { authorization, 'content-type': `text/x-${i}` } });
    await send('GET', '/health', { headers: { 'content-type': `text/x-${i}` } });
  }
  // Allows two more, because GET /company is requested for the first time here.
  expect(testService.compiledValidators() - compiled).toBeLessThanOrEqual(2);
});
