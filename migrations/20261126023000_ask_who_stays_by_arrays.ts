import type { Knex } from 'knex';

interface Removal {
  table: string;
  /** Type and data of its event; none for a table that has no events of its own. */
  event?: { type: string; data: string; where?: string; goesWith: Owner[] };
  /** What the lists of changes are told, whatever is gone with its learner left out. */
  note?: { kind: string; target?: string };
  /** The lists of groups are told too. */
  ofGroup?: true;
}

/** What takes rows along when it is deleted, and tells of that by itself. */
interface Owner {
  table: string;
  column: string;
}

const LEARNER: Owner = { table: 'learners', column: 'learner_id' };
const GROUP: Owner = { table: 'groups', column: 'group_id' };
const POLICY: Owner = { table: 'policies', column: 'policy_id' };

const MEMBER = `'groupId', group_id, 'learnerId', learner_id`;

const REMOVALS: Removal[] = [
  {
    table: 'group_learners',
    event: { type: 'group.member.removed', data: MEMBER, goesWith: [GROUP, LEARNER] },
    note: { kind: 'learner' },
    ofGroup: true,
  },
  {
    table: 'group_managers',
    event: { type: 'group.manager.removed', data: MEMBER, goesWith: [GROUP, LEARNER] },
  },
  {
    table: 'enrollments',
    event: {
      type: 'enrollment.removed',
      data: `'attemptId', attempt_id, 'learnerId', learner_id, 'courseId', course_id`,
      goesWith: [LEARNER],
    },
    note: { kind: 'enrollment', target: 'course_id' },
  },
  { table: 'enrollment_attempts', note: { kind: 'enrollment', target: 'course_id' } },
  {
    table: 'policy_results',
    event: {
      type: 'policy.unassigned',
      data: `'policyId', policy_id, 'learnerId', learner_id`,
      where: 'assigned_at is not null',
      goesWith: [POLICY, LEARNER],
    },
    note: { kind: 'policy_result', target: 'policy_id' },
  },
];

/**
 * Citus runs no statement that joins the rows of a trigger with a table. So what was removed is gathered in arrays first, and
 * a function asks of these who stays.
 *
 * NOTE: each lookup is a subquery with a limit, which Postgres never makes a join that may read a whole table for one row.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function note_changes_of_staying(company uuid, of_kind text, of_ids uuid[], of_targets uuid[]) returns void
      language plpgsql as $$
      declare
        staying uuid[];
        targets uuid[];
      begin
        select array_agg(r.id), array_agg(r.target) into staying, targets
          from unnest(of_ids, of_targets) as r (id, target) where ${stays('learners', 'r.id')};
        if staying is null then return; end if;
        perform public.note_changes(company, of_kind, gen_random_uuid(), staying,
                                    case when of_targets is not null then targets end);
      end $$;

    create function write_events_of_staying(company uuid, of_types text[], of_facts jsonb[]) returns void
      language plpgsql as $$
      declare
        types text[];
        facts jsonb[];
      begin
        select array_agg(r.type), array_agg(r.data) into types, facts
          from unnest(of_types, of_facts) as r (type, data)
         where ${stays('learners', `(r.data ->> 'learnerId')::uuid`)}
           and (r.data -> 'groupId' is null or ${stays('groups', `(r.data ->> 'groupId')::uuid`)})
           and (r.data -> 'policyId' is null or ${stays('policies', `(r.data ->> 'policyId')::uuid`)});
        perform public.write_events(company, types, facts);
      end $$;

    revoke all on function note_changes_of_staying(uuid, text, uuid[], uuid[]) from public;
    revoke all on function write_events_of_staying(uuid, text[], jsonb[]) from public;
    grant execute on function note_changes_of_staying(uuid, text, uuid[], uuid[]) to awareness_service;
    grant execute on function write_events_of_staying(uuid, text[], jsonb[]) to awareness_service;`);
  for (const removal of REMOVALS) await knex.raw(functions(removal, 'arrays'));
}

export async function down(knex: Knex): Promise<void> {
  for (const removal of REMOVALS) await knex.raw(functions(removal, 'join'));
  await knex.raw(`
    drop function note_changes_of_staying(uuid, text, uuid[], uuid[]);
    drop function write_events_of_staying(uuid, text[], jsonb[])`);
}

const stays = (table: string, id: string) => `(
             select o.id from public.${table} o where o.company_id = company and o.id = ${id} limit 1) is not null`;

type Shape = 'arrays' | 'join';

const functions = (removal: Removal, shape: Shape) => `${teller(removal, shape)}${noter(removal, shape)}`;

function teller({ table, event }: Removal, shape: Shape): string {
  if (!event) return '';
  const owners = event.goesWith.map(
    (owner) =>
      `exists (select from public.${owner.table} o where o.company_id = removed.company_id and o.id = removed.${owner.column})`,
  );
  const conditions = ['removed.company_id = company', event.where, ...(shape === 'join' ? owners : [])];
  return `
    create or replace function tell_of_${table}_delete() returns trigger language plpgsql as $$
      declare
        session uuid := public.current_company();
        company uuid;
        types text[];
        facts jsonb[];
      begin
        if session is not null and not public.events_are_read(session) then return null; end if;
        for company in
          select session where session is not null
          union all
          select c.company_id from (select distinct company_id from removed where session is null) as c
           where public.events_are_read(c.company_id)
        loop
          select array_agg('${event.type}'::text), array_agg(jsonb_build_object(${event.data})) into types, facts
            from removed where ${conditions.filter((condition) => condition !== undefined).join(' and ')};
          perform public.write_events${shape === 'arrays' ? '_of_staying' : ''}(company, types, facts);
        end loop;
        return null;
      end $$;`;
}

function noter({ table, note, ofGroup }: Removal, shape: Shape): string {
  if (!note) return '';
  const joined = `where (select l.id from public.learners l
                          where l.company_id = removed.company_id and l.id = removed.learner_id limit 1) is not null`;
  const call =
    shape === 'arrays'
      ? `note_changes_of_staying(company, '${note.kind}', ids, targets)`
      : `note_changes(company, '${note.kind}', gen_random_uuid(), ids, targets)`;
  const groups = `
        for company, ids in select distinct company_id, array[group_id] from removed loop
          perform public.note_changes(company, 'group', ids[1], ids, null);
        end loop;`;
  return `
    create or replace function note_${table}_delete() returns trigger language plpgsql as $$
      declare
        company uuid;
        ids uuid[];
        targets uuid[];
      begin${ofGroup ? groups : ''}
        for company, ids, targets in
          select company_id, array_agg(learner_id), ${note.target ? `array_agg(${note.target})` : 'null::uuid[]'}
            from removed ${shape === 'join' ? joined : ''} group by company_id
        loop
          perform public.${call};
        end loop;
        return null;
      end $$;`;
}
