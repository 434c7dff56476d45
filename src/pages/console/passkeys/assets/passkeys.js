/** Asks the device to create or use a passkey when the form is submitted, and sends the result with the form. */
const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;
const form = document.querySelector('form[data-passkey]');
const start = { add: startRegistration, enter: startAuthentication }[form.dataset.passkey];
form.hidden = false;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fault = form.querySelector('[role="alert"]');
  fault.hidden = true;
  try {
    const token = form.elements.namedItem('form_token');
    const headers = token ? { 'X-Form-Token': token.value } : {};
    const answer = await fetch(form.dataset.options, { method: 'POST', headers });
    if (!answer.ok) throw new Error(String(answer.status));
    form.elements.namedItem('response').value = JSON.stringify(await start({ optionsJSON: await answer.json() }));
    form.submit();
  } catch {
    fault.hidden = false;
  }
});
