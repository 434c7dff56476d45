// The pages of an exported course, as DOM elements. The service that exported the course has rendered all fields that
// end in `Html`; they contain no HTML written by the author.
globalThis.courseViews = (() => {
  const HARMLESS = 'harmless';

  function el(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === undefined || value === false) continue;
      if (key === 'html') element.innerHTML = value;
      else if (key === 'onclick') element.addEventListener('click', value);
      else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat().filter((child) => child !== undefined && child !== false));
    return element;
  }

  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  }

  const inline = (html) => el('span', { html });
  const block = (html) => el('div', { class: 'lesson', html });
  const button = (text, onclick, kind = '') => el('button', { type: 'button', class: kind, onclick }, text);

  /**
   * @param view the question, its text, its messages, and the answers that the learner had marked on a rejected page
   */
  function renderQuestion(view) {
    const { question, text, messages, isMissing, given = [] } = view;
    const faultId = `fault-${question.id}`;
    const fault = isMissing && el('p', { class: 'fault', id: faultId, role: 'alert' }, messages.unanswered);
    const choice = ({ id }) => el('label', {}, renderInput(view, id, given), ' ', inline(text.answers[id].html));
    const whole = [text.caseHtml !== null && block(text.caseHtml)];
    if (question.kind === 'scenario') return renderScene(view, fault, faultId);
    return [
      ...whole,
      el(
        'fieldset',
        { 'aria-describedby': isMissing && faultId },
        el('legend', { html: text.askHtml }),
        question.kind === 'many' && el('p', { class: 'hint' }, messages.chooseMany),
        fault,
        question.kind === 'mail' ? renderMailForm(view, given) : question.answers.map(choice),
      ),
    ];
  }

  function renderInput({ question }, id, given, label) {
    const type = question.kind === 'one' || question.kind === 'scenario' ? 'radio' : 'checkbox';
    const input = el('input', { type, name: question.id, value: id, 'aria-label': label });
    input.checked = given.includes(id);
    return input;
  }

  function renderScene(view, fault, faultId) {
    const { question, text, messages, path } = view;
    const { scene } = globalThis.courseGrading.followPath(question.scenes, path);
    const sceneText = text.scenes[scene.id];
    return [
      el('h2', { html: text.askHtml }),
      block(sceneText.html),
      el(
        'fieldset',
        { 'aria-describedby': fault && faultId },
        el('legend', {}, messages.whatNow),
        fault,
        scene.choices.map(({ id }) => el('label', {}, renderInput(view, id, []), ' ', inline(sceneText.choices[id]))),
      ),
    ];
  }

  /** Renders an answered question, with the explanations of all its answers. */
  function renderAnswered(view) {
    const { question, text, messages, isRight, given = [] } = view;
    const verdict = (good, words) =>
      el('p', { class: good ? 'good' : 'fault', role: 'status' }, el('strong', {}, words));
    if (question.kind === 'scenario') {
      const { scene } = globalThis.courseGrading.followPath(question.scenes, given);
      return [
        el('h2', { html: text.askHtml }),
        block(text.scenes[scene.id].html),
        verdict(scene.end === 'good', scene.end === 'good' ? messages.goodEnd : messages.badEnd),
      ];
    }
    const isMail = question.kind === 'mail';
    return [
      text.caseHtml !== null && block(text.caseHtml),
      el('h2', { html: text.askHtml }),
      verdict(isRight, isRight ? messages.right : messages.wrong),
      isMail && renderMail(view, (id, content) => renderReviewedPart(question, id, content)),
      el(
        'ul',
        { class: 'items' },
        question.answers.map((answer) => renderReason(view, answer, given.includes(answer.id))),
      ),
    ];
  }

  function renderReason({ question, text, messages }, { id, right }, isGiven) {
    const isPart = question.kind === 'mail' && id !== HARMLESS;
    const words = isPart
      ? right
        ? messages.warningSign
        : messages.harmlessPart
      : right
        ? messages.rightAnswer
        : messages.wrongAnswer;
    const yours = isPart ? messages.marked : messages.yours;
    return el(
      'li',
      {},
      el('p', {}, id === HARMLESS && question.kind === 'mail' ? messages.harmless : inline(text.answers[id].html)),
      el(
        'p',
        {},
        el('strong', { class: isPart === right ? 'fault' : 'good' }, words),
        isGiven && ` (${yours})`,
        ': ',
        inline(text.answers[id].becauseHtml),
      ),
    );
  }

  function renderMailForm(view, given) {
    const { question, messages } = view;
    const hint = question.atLeast === null ? messages.markAll : fill(messages.markSome, { count: question.atLeast });
    return [
      el('p', { class: 'hint' }, `${hint} ${messages.seeAddresses}`),
      renderMail(view, (id, content, label) => {
        if (!question.answers.some((answer) => answer.id === id)) return el('p', {}, content);
        const input = renderInput(view, id, given, label);
        return label === undefined
          ? el('label', {}, input, ' ', content)
          : el('div', { class: 'part' }, input, content);
      }),
      el('label', {}, renderInput(view, HARMLESS, given), ' ', messages.harmless),
    ];
  }

  function renderReviewedPart({ answers }, id, content) {
    const isCue = answers.some((answer) => answer.id === id && answer.right);
    return el('p', {}, isCue ? el('mark', {}, content) : content);
  }

  /**
   * Renders an email. Its links do not work; the real URL is shown below each link. @param renderPart renders one part
   */
  function renderMail({ question, text: { mail }, messages }, renderPart) {
    const line = (id, name, value) => renderPart(id, el('span', {}, el('strong', {}, name), ` ${value}`));
    const link = ({ id, textHtml, address }, index) => {
      const addressId = `address-${question.id}-${index}`;
      const target = el(
        'span',
        { class: 'link', role: 'link', 'aria-disabled': 'true', tabindex: '0', 'aria-describedby': addressId },
        inline(textHtml),
      );
      const content = el('span', {}, target, el('code', { class: 'address', id: addressId }, address));
      return renderPart(id, content, `${messages.markLink}: ${target.textContent}`);
    };
    return el(
      'div',
      { class: 'mail', role: 'group', 'aria-label': messages.mail },
      line('from', messages.from, `${mail.from.name} <${mail.from.address}>`),
      line('to', messages.to, mail.to),
      line('date', messages.date, mail.date),
      line('subject', messages.subject, mail.subject),
      mail.attachment !== null && line('attachment', messages.attachment, mail.attachment),
      mail.headers.length > 0 &&
        el(
          'details',
          { open: true },
          el('summary', {}, messages.headers),
          mail.headers.map(({ id, name, value }) => line(id, `${name}:`, value)),
        ),
      mail.body.map((piece, index) =>
        piece.address === null ? renderPart(piece.id, inline(piece.textHtml)) : link(piece, index),
      ),
    );
  }

  return { el, fill, block, button, renderQuestion, renderAnswered };
})();
