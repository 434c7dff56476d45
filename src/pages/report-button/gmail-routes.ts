// The endpoints of the Gmail add-on. Google calls them when a person opens a message or presses the button. Failures
// return a card that says what to do instead; otherwise Gmail would show only that the add-on failed.
import type { Request, RequestHandler, Response } from 'express';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { type Language, toLanguage } from '../../contract/languages.ts';
import { readText } from '../../http/body/body-text.ts';
import { toApiError } from '../../http/response/error-response.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Button } from './add-in.ts';
import { buildOpenCard, buildOutcomeCard } from './gmail-cards.ts';
import { describeFailure, describeOutcome } from './outcomes.ts';

const MAX_EVENT_BYTES = 64 * 1024;

type GmailMessages = SharedServices['openings']['gmail'];
type GmailCall = Parameters<GmailMessages['read']>[0];

interface Options {
  gmail: GmailMessages;
  logger: Logger;
  getButton: (res: Response) => Button;
  /** Returns the public URL of the button. */
  getBase: (req: Request) => string;
}

interface GmailRoutes {
  open: RequestHandler;
  report: RequestHandler;
}

export function createGmailRoutes({ gmail, logger, getButton, getBase }: Options): GmailRoutes {
  const read = async (req: Request, name: string): Promise<GmailEvent | undefined> => {
    const text = await readText(req, MAX_EVENT_BYTES);
    if (text === undefined) return undefined;
    const event = readEvent(text);
    await gmail.requirePlatform(event.call.systemIdToken, `${getBase(req)}/gmail/${name}`);
    return event;
  };
  return {
    open: async (req, res) => {
      const event = await read(req, 'open');
      if (event) res.json(buildOpenCard(getBase(req), event.language));
    },
    report: async (req, res) => {
      const event = await read(req, 'report');
      if (!event) return;
      const button = getButton(res);
      const { call, language } = event;
      try {
        const result = await button.receive(async () => button.report(await gmail.read(call)));
        res.json(buildOutcomeCard(describeOutcome(result, language)));
      } catch (thrown) {
        const error = toApiError(logger, res, thrown);
        if (!error) return void res.destroy();
        res.json(buildOutcomeCard(describeFailure(error, language, button.forwardTo)));
      }
    },
  };
}

interface GmailEvent {
  call: GmailCall;
  language: Language;
}

/** Reads an event from Google. @throws {ApiError} `invalid_request`; `unauthorized` without Google's token */
function readEvent(text: string): GmailEvent {
  const event = parseObject(text);
  const tokens = getObject(event, 'authorizationEventObject');
  const gmail = getObject(event, 'gmail');
  const systemIdToken = getText(tokens, 'systemIdToken');
  if (systemIdToken === '')
    throw new ApiError('unauthorized', 'The event has no authorizationEventObject.systemIdToken.');
  const call = {
    ...{ systemIdToken, userIdToken: getText(tokens, 'userIdToken') || undefined },
    ...{ userOAuthToken: getText(tokens, 'userOAuthToken'), accessToken: getText(gmail, 'accessToken') },
    messageId: getText(gmail, 'messageId'),
  };
  return { call, language: toLanguage(getText(getObject(event, 'commonEventObject'), 'userLocale') || null) };
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields {
  try {
    return toObject(JSON.parse(text));
  } catch {
    throw invalidField('body', 'must be JSON');
  }
}

function toObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function getObject(fields: Fields, name: string): Fields {
  return toObject(fields[name]);
}

/** Returns a string that is safe in a header; empty if the field has none. */
function getText(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/.test(value) ? value : '';
}
