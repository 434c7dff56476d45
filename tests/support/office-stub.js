// A stub of Office.js, with the documented methods that the report button uses. It takes the place of the library in
// tests, with `window.stub` as the state of Outlook: the email, the highest requirement set, the language.
(() => {
  const { stub } = window;
  const succeed = (value, rest) => rest.at(-1)({ status: 'succeeded', value, asyncContext: rest.at(-2)?.asyncContext });
  const fail = (rest) => rest.at(-1)({ status: 'failed', error: { code: 9001, message: 'not supported' } });
  const since =
    (version, value) =>
    (...rest) =>
      stub.mailbox >= version ? succeed(value(), rest) : fail(rest);
  const item = {
    getAsFileAsync: since(14, () => stub.mail),
    getAllInternetHeadersAsync: since(8, () => stub.headers),
    body: { getAsync: (_type, ...rest) => succeed(stub.html, rest) },
  };
  const handlers = {};
  window.Office = {
    AsyncResultStatus: { Succeeded: 'succeeded', Failed: 'failed' },
    EventType: { ItemChanged: 'olkItemSelectedChanged' },
    MailboxEnums: {
      MoveSpamItemTo: {
        ...{ CustomFolder: 'customFolder', DeletedItemsFolder: 'deletedItemsFolder' },
        ...{ JunkFolder: 'junkFolder', NoMove: 'noMove' },
      },
    },
    onReady: (callback) => Promise.resolve({ host: 'Outlook' }).then(callback),
    actions: { associate: (name, handler) => void (handlers[name] = handler) },
    context: {
      displayLanguage: stub.language,
      requirements: { isSetSupported: (_name, version) => Number(version.split('.')[1]) <= stub.mailbox },
      mailbox: {
        userProfile: { emailAddress: stub.reporter },
        item,
        addHandlerAsync: (type, handler) => void (handlers[type] = handler),
      },
    },
  };
  /** Raises an event as Outlook does. Resolves with what the handler passes to `completed`. */
  window.raise = (name) => new Promise((completed) => handlers[name]({ completed }));
})();
