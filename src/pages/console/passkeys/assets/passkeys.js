/**
 * Asks the device to create or use a passkey when a form is submitted, and sends the result with the form. A form that
 * waits for a confirmation is submitted after the confirmation, without the result.
 */
const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const start = form.dataset.passkey === 'add' ? startRegistration : startAuthentication;
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
      const response = JSON.stringify(await start({ optionsJSON: await answer.json() }));
      if (form.dataset.confirm) {
        const body = new URLSearchParams({ form_token: token.value, response });
        const confirmed = await fetch(form.dataset.confirm, { method: 'POST', body });
        if (!confirmed.ok) throw new Error(String(confirmed.status));
      } else {
        form.elements.namedItem('response').value = response;
      }
      form.submit();
    } catch {
      fault.hidden = false;
    }
  });
}
