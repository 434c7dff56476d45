// Draws the reference from the contract of this server. `data-key` is there in the demo alone.
const place = document.getElementById('reference');
const { contract, key } = place.dataset;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const ui = SwaggerUIBundle({
  domNode: place,
  url: contract,
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  // The library would have the contract judged by a server of its own.
  validatorUrl: null,
  onComplete() {
    if (key) ui.preauthorizeApiKey('apiKey', key);
  },
});
