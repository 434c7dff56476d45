import { zipSync } from 'fflate';
import type { ForwardReason } from '../../../src/resources/simulations/events/reported-mail/judge-report.ts';
import { CONTAINERS, type Form, type Original, report } from './corpus.ts';
import { NAMES, PROGRAMS, type Quotable } from './inline-forwards.ts';
import { mimecast } from './rewriters.ts';

// Emails that somebody must look at: real attacks, and simulations that are not the reporter's.

export interface Originals {
  /** A simulation message that the reporter received. */
  simulation: Original;
  /** A simulation message that a colleague received. */
  colleagues: Original;
  /** A simulation message of another company. */
  foreign: Original;
  /** A simulation message that the reporter received long ago. */
  old: Original;
  attack: Original;
}

const quote = ({ from, to, subject, link }: Original, program = 'Outlook'): string =>
  PROGRAMS[program]!({ from, to, subject, text: `Pay now: ${link}`, html: '' } satisfies Quotable, NAMES.English!).text;

const attach = async (...originals: Original[]) => {
  const mails = await Promise.all(originals.map((original) => CONTAINERS['attached in base64']!(original)));
  return mails.flatMap(({ attachments }) => attachments!);
};

export async function forwardedForms({ simulation, colleagues, foreign, old, attack }: Originals): Promise<Form[]> {
  const form = (name: string, reason: ForwardReason, source: Buffer, isRecorded = false): Form => {
    return { name, reason, source, isRecorded };
  };
  const lost = (original: Original): Original => ({
    ...original,
    ...{ link: mimecast('parcels.example'), messageId: '<changed@gateway.test>' },
  });
  const forged = { ...attack, link: `https://evil.test/s/${'Zm9yZ2Vk'.repeat(8)}` };
  const contained = await Promise.all(
    Object.entries(CONTAINERS).map(async ([name, contain]) =>
      form(`an attack: ${name}`, 'unknown', await report(await contain(attack))),
    ),
  );
  const quoted = await Promise.all(
    Object.keys(PROGRAMS).map(async (program) =>
      form(`an attack in ${program}`, 'unknown', await report({ text: quote(attack, program) })),
    ),
  );
  // Extortion emails often name their recipient as the sender.
  const spoofed = { ...attack, from: 'Ada <learner1@tenant.test>' };
  const zero = Buffer.concat([
    Buffer.from(`From: Bank <bank@evil.test>\nMessage-ID: <a\0b@evil.test>\nX-Awareness-Simulation: a\0b\n`),
    Buffer.from(`Subject: Pay\n\nhttps://evil.test/`),
  ]);
  const deep = await nest(attack, 50);
  const html = { content: '<form action="https://evil.test">', filename: 'invoice.html' };
  return [
    ...contained,
    ...quoted,
    form('an attack in the name of the reporter, quoted', 'unknown', await report({ text: quote(spoofed) })),
    form(
      'an attack in the name of the reporter, attached',
      'unknown',
      await report({ attachments: await attach(spoofed) }),
    ),
    form(
      'the simulation and an attack in the name of the reporter, quoted',
      'mixed',
      await report({ text: `${quote(simulation)}\n\n${quote(spoofed)}` }),
      true,
    ),
    form(
      'the simulation and an attack in the name of the reporter, attached',
      'mixed',
      await report({ attachments: await attach(simulation, spoofed) }),
      true,
    ),
    form(
      'an attack and the simulation, of which the HTML separates neither',
      'mixed',
      await report({
        text: `${quote(attack)}\n\n${quote(simulation)}`,
        html: `<p><a href="${attack.link}">Pay</a></p><p><a href="${simulation.link}">Open</a></p>`,
      }),
      true,
    ),
    form(
      'an attack with null characters in its identifiers',
      'unknown',
      await report({
        attachments: [{ content: zero, contentType: 'message/rfc822', contentTransferEncoding: 'base64' }],
      }),
    ),
    form('a forged token', 'unknown', await report({ text: quote(forged) })),
    form(
      'an attack with the subject',
      'unknown',
      await report({ text: quote({ ...attack, subject: simulation.subject }) }),
    ),
    form('an attack with the sender', 'unknown', await report({ text: quote({ ...attack, from: simulation.from }) })),
    form(
      'the subject in the words of the reporter',
      'unknown',
      await report({ text: `${simulation.subject}: is it true?` }),
    ),
    form('a message of long ago without its link', 'unknown', await report({ text: quote(lost(old)) })),
    form('a report by nobody', 'marked', await report({ from: 'nobody@else.test', text: quote(simulation) })),
    form('the message of a colleague', 'marked', await report({ text: quote(colleagues) })),
    form('the attached message of a colleague', 'marked', await report({ attachments: await attach(colleagues) })),
    form('a message of another company', 'marked', await report({ text: quote(foreign) })),
    form(
      'only the header',
      'marked',
      await report({ attachments: await attach({ ...attack, headerSecret: simulation.headerSecret! }) }),
    ),
    form('no identifier, quoted', 'likely', await report({ text: quote(lost(simulation)) }), true),
    form('no identifier, attached', 'likely', await report({ attachments: await attach(lost(simulation)) }), true),
    form(
      'no identifier, a prefix',
      'likely',
      await report({ text: quote({ ...lost(simulation), subject: `[EXT] WG: ${simulation.subject}` }) }),
      true,
    ),
    form('both attached', 'mixed', await report({ attachments: await attach(simulation, attack) }), true),
    form(
      'both attached, the attack first',
      'mixed',
      await report({ attachments: await attach(attack, simulation) }),
      true,
    ),
    form('both quoted', 'mixed', await report({ text: `${quote(simulation)}\n\n${quote(attack, 'Gmail')}` }), true),
    form(
      'the simulation quoted, the attack attached',
      'mixed',
      await report({ text: quote(simulation), attachments: await attach(attack) }),
      true,
    ),
    form(
      'the attack quoted, the simulation attached',
      'mixed',
      await report({ text: quote(attack), attachments: await attach(simulation) }),
      true,
    ),
    form(
      'the simulation and the file of an attack',
      'mixed',
      await report({ attachments: [...(await attach(simulation)), html] }),
      true,
    ),
    form(
      'the simulation and the message of a colleague',
      'marked',
      await report({ attachments: await attach(simulation, colleagues) }),
      true,
    ),
    form(
      '50 nested mails',
      'unreadable',
      await report({ attachments: [{ content: deep, contentType: 'message/rfc822' }] }),
    ),
    form(
      '50 nested mails and the simulation',
      'unreadable',
      await report({ attachments: [{ content: deep, contentType: 'message/rfc822' }, ...(await attach(simulation))] }),
      true,
    ),
    form(
      'a broken Outlook message',
      'unreadable',
      await report({ attachments: [{ content: Buffer.from('d0cf11e0a1b11ae1ffff', 'hex'), filename: 'a.msg' }] }),
    ),
    form(
      'a ZIP bomb',
      'unreadable',
      await report({
        attachments: [{ content: Buffer.from(zipSync({ 'a.eml': new Uint8Array(40_000_000) })), filename: 'a.zip' }],
      }),
    ),
    form(
      'a broken ZIP file',
      'unreadable',
      await report({ attachments: [{ content: Buffer.from('PK\x03\x04broken'), filename: 'a.zip' }] }),
    ),
  ];
}

async function nest(original: Original, levels: number): Promise<Buffer> {
  let content = (await CONTAINERS['attached in 8bit']!(original)).attachments![0]!.content as Buffer;
  for (let level = 0; level < levels; level += 1) {
    const mail = await report({
      attachments: [{ content, contentType: 'message/rfc822' }],
    });
    content = mail;
  }
  return content;
}
