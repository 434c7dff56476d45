// Draws the reference from the contract of this server. `data-key` is there in the demo alone.
const place = document.getElementById('reference');
const { contract, key } = place.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

/** The operations alone: the page around them says the rest, and there is one server. */
const operationsAlone = ({ React: { createElement } }) => ({
  components: {
    // A link within a button, where nobody expects it.
    DeepLink: ({ text }) => createElement('span', null, text),
    OperationsAlone({ getComponent, specSelectors }) {
      const part = (name, isContainer) => createElement(getComponent(name, isContainer), { key: name });
      const parts = [part('SvgAssets'), part('errors', true)];
      if (specSelectors.loadingStatus() === 'success') {
        parts.push(part('AuthorizeBtnContainer', true), part('FilterContainer', true), part('operations', true));
      }
      return createElement('div', { className: 'swagger-ui' }, parts);
    },
  },
  wrapComponents: {
    // Pressed before the operation is loaded, it fails silently and waits forever.
    execute: (Execute) => (props) => (props.operation.size > 0 ? createElement(Execute, props) : null),
  },
});

/** Adds the labels that the library lacks, and makes scrolling parts reachable by keyboard. */
const names = {
  'select.examples-select-element': 'Example',
  'select.content-type': 'Media type',
  'textarea.body-param__text': 'Request body',
  '.close-modal': 'Close',
};
const nameControls = () => {
  for (const [selector, name] of Object.entries(names)) {
    for (const control of place.querySelectorAll(`${selector}:not([aria-label])`)) control.ariaLabel = name;
  }
  for (const scrolling of place.querySelectorAll('pre:not([tabindex]), .opblock-body:not([tabindex])')) {
    scrolling.tabIndex = 0;
  }
};
new MutationObserver(nameControls).observe(place, { childList: true, subtree: true });

const ui = SwaggerUIBundle({
  domNode: place,
  url: contract,
  plugins: [operationsAlone],
  layout: 'OperationsAlone',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The colours have too little contrast, and a long list would block the browser.
  syntaxHighlight: false,
  // The library would send the contract to its own server for validation.
  validatorUrl: null,
  onComplete() {
    if (key) ui.preauthorizeApiKey('apiKey', key);
  },
});
