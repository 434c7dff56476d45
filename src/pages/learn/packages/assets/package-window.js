// Shows the status that the page of the package reports from the content host. A package shares the origin of that page
// and can also send reports, so a report only selects one of the texts that the service wrote.
const frame = document.querySelector('iframe');
const status = document.querySelector('[role=status]');
const { origin, saved, stale, expired, unsaved } = frame.dataset;
const TEXTS = new Map([
  ['kept', ''],
  ['saved', saved],
  ['stale', stale],
  ['expired', expired],
  ['unsaved', unsaved],
]);

addEventListener('message', (event) => {
  if (event.origin !== origin || event.source !== frame.contentWindow) return;
  const text = TEXTS.get(event.data);
  if (text !== undefined && text !== status.textContent) status.textContent = text;
});
