export const approvalMessages = {
  keyTitle: 'Connect an application',
  asks: (client: string) => `${client} asks to read your organisation’s security awareness data.`,
  unnamed: 'An application without a name',
  unverified: 'The name is what the application calls itself; nobody has verified it.',
  documentAt: 'The application identifies itself by a document at',
  goesTo: 'The access goes to',
  goesToLoopback: 'a program on this computer, at',
  goesToApp: 'the program on this device that opens',
  loopbackWarning:
    'Continue only if you have just started this from a program on this computer. Another program on this computer could receive the access instead.',
  keyLabel: 'API key of your organisation',
  keyHint: 'It begins with sk_. The application will not see it.',
  check: 'Continue',
  deny: 'Deny',
  wrongKey: (left: number) =>
    `This key does not work: it might be mistyped, expired or revoked. You have ${left} ${left === 1 ? 'try' : 'tries'} left.`,
  powerlessKey: (left: number) =>
    `This key is not allowed to read anything that the application asks for. You have ${left} ${left === 1 ? 'try' : 'tries'} left.`,
  approveTitle: 'Approve the connection?',
  application: 'Application',
  organisation: 'Organisation',
  key: 'API key',
  shared: 'What it can do',
  readOnly:
    'Read what this key can read: the organisation, learners, groups, courses, policies, simulations, breaches and reports. It cannot change, send or delete anything.',
  readOnlyScopes: (names: string) =>
    `Read these, and nothing else: ${names}. It cannot change, send or delete anything.`,
  until: 'For 90 days at most. Revoking the key ends it at once.',
  duration: 'For how long',
  approve: 'Approve',
  otherKey: 'Use another key',
  failureTitle: 'This did not work',
  faultyRequest:
    'The application sent a request that this service does not accept. Nothing was shared. You can close this page.',
  forMakers: 'For the developers of the application:',
  over: 'This approval is complete, has expired or belongs to another browser. Start again in your application.',
  closed:
    'Too many wrong keys were entered. The approval has ended, and nothing was shared. Start again in your application.',
  foreign: 'The form was not sent from this page. Start again in your application.',
  stale: 'The form is out of date. Go back to your application and start again.',
  unreadable: 'The form could not be read. Start again in your application.',
  tooMany: 'Too many attempts from your network. Wait a minute, then start again in your application.',
  unavailable: 'The service is temporarily unavailable. Try again in a few minutes.',
} as const;
