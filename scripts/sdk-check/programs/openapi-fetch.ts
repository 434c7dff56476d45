import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
import { bulk, LEARNER_ID, list, missing, newer, pdf, report, rows, SERVICE_KEY, SERVICE_URL, tell } from './tell.js';

const client = createClient<paths>({ baseUrl: SERVICE_URL!, headers: { authorization: `Bearer ${SERVICE_KEY}` } });

async function failureOf(learnerId: string) {
  const { error } = await client.GET('/learners/{learnerId}', { params: { path: { learnerId } } });
  return error!;
}

async function upload(): Promise<string> {
  const form = new FormData();
  form.append('file', await pdf());
  // The client's types declare bytes as text; the serializer of the call decides what is sent.
  const { data } = await client.POST('/policies/upload', { body: { file: '' }, bodySerializer: () => form });
  return data!.data.sha256;
}

await tell({
  list: async () => list((await client.GET('/policies')).data!.data),
  report: async () => report((await client.GET('/reports/learning')).data!.data),
  missing: async () => missing(await failureOf('nobody')),
  bulk: async () => bulk((await client.POST('/learners/bulk', { body: { learners: rows } })).data!.data),
  upload,
  deletion: async () =>
    String((await client.DELETE('/learners/bulk', { body: { learnerIds: [LEARNER_ID!] } })).data!.data),
  newer: async () => newer(await failureOf('newer'), (await client.GET('/simulations')).data!.data),
});
