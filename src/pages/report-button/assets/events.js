// Handles the integrated button for spam reports. Classic Outlook on Windows runs this file by itself, without a page,
// modules, async functions or code in Office.onReady; the other versions of Outlook run it in a page. The service puts
// a line before this file that sets `reportButton`: the URL for reports, and texts by language.

function onMessageReport(event) {
  var mailbox = Office.context.mailbox;
  var language = String(Office.context.displayLanguage || 'en')
    .slice(0, 2)
    .toLowerCase();
  var texts = reportButton.texts[language] || reportButton.texts.en;
  var end = function (folder, title, description) {
    event.completed({
      moveItemTo: folder,
      onErrorDeleteItem: false,
      showPostProcessingDialog: { title: title, description: description },
    });
  };
  var folders = Office.MailboxEnums.MoveSpamItemTo;
  var fail = function (text) {
    end(folders.NoMove, texts.failedTitle, text || texts.failed);
  };
  mailbox.item.getAsFileAsync(function (result) {
    if (result.status !== Office.AsyncResultStatus.Succeeded) return fail();
    // Sends no larger email, so that the person reads at once what to do instead.
    if (result.value.length > reportButton.maxLength) return fail(texts.tooLarge);
    var lines = [language, (mailbox.userProfile || {}).emailAddress || '', result.value];
    // A body of this type needs no preflight, which the runtime of classic Outlook does not send.
    var sending = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: lines.join('\n') };
    fetch(reportButton.reports, sending)
      .then(function (response) {
        return response.json();
      })
      .then(function (answer) {
        if (answer.outcome === 'simulation') end(folders.DeletedItemsFolder, answer.title, answer.text);
        else if (answer.outcome === 'passed_on') end(folders.JunkFolder, answer.title, answer.text);
        else fail(answer.text);
      })
      .catch(function () {
        fail();
      });
  });
}

Office.actions.associate('onMessageReport', onMessageReport);
