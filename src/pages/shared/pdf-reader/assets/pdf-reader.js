// Shows the PDF of a policy in its page. Pages are drawn when they come near the visible area and cleared when they
// leave it. Once the first page is drawn, the script sends the form that records the visit.
const reader = document.getElementById('reader');
const status = document.getElementById('reader-status');
const { file, library, worker, resources, loading, failed, page: pageWords } = reader.dataset;
const NEAR = '100% 0px';
const MAX_PIXEL_RATIO = 2;

status.textContent = loading;
try {
  await show();
  status.textContent = '';
} catch (error) {
  console.info(error);
  reader.hidden = true;
  status.textContent = failed;
}

async function show() {
  const pdfjs = await import(library);
  pdfjs.GlobalWorkerOptions.workerSrc = worker;
  const pdf = await pdfjs.getDocument({
    url: file,
    cMapUrl: `${resources}/cmaps/`,
    standardFontDataUrl: `${resources}/standard_fonts/`,
    iccUrl: `${resources}/iccs/`,
    wasmUrl: `${resources}/wasm/`,
    // The page's Content-Security-Policy lets nothing compile code.
    useWasm: false,
    enableXfa: false,
    disableRange: true,
    disableStream: true,
  }).promise;
  const first = await pdf.getPage(1);
  reader.hidden = false;
  const { width, height } = first.getViewport({ scale: 1 });
  const frames = Array.from({ length: pdf.numPages }, (_, index) =>
    createFrame(index + 1, pdf.numPages, width, height),
  );
  reader.append(...frames);
  const views = new Map(frames.map((frame, index) => [frame, createView(pdfjs, pdf, frame, index + 1)]));
  await views.get(frames[0]).draw();
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const view = views.get(target);
        if (isIntersecting) view.draw().catch((error) => console.info(error));
        else view.clear();
      }
    },
    { root: reader, rootMargin: NEAR },
  );
  for (const frame of frames) seen.observe(frame);
  await recordVisit().catch((error) => console.info(error));
}

function createFrame(number, count, width, height) {
  const frame = document.createElement('div');
  frame.className = 'pdf-page';
  frame.role = 'group';
  frame.ariaLabel = pageWords.replace('{page}', number).replace('{pages}', count);
  frame.style.aspectRatio = `${width} / ${height}`;
  return frame;
}

function createView(pdfjs, pdf, frame, number) {
  let drawing;
  return { draw, clear };

  function draw() {
    drawing ??= drawn();
    return drawing;
  }

  async function drawn() {
    const pdfPage = await pdf.getPage(number);
    const plain = pdfPage.getViewport({ scale: 1 });
    frame.style.aspectRatio = `${plain.width} / ${plain.height}`;
    const scale = frame.clientWidth / plain.width;
    const ratio = Math.min(globalThis.devicePixelRatio || 1, MAX_PIXEL_RATIO);
    const viewport = pdfPage.getViewport({ scale: scale * ratio });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    const layer = document.createElement('div');
    layer.className = 'pdf-text';
    layer.style.setProperty('--total-scale-factor', String(scale));
    await pdfPage.render({ canvas, viewport }).promise;
    const text = new pdfjs.TextLayer({
      textContentSource: pdfPage.streamTextContent(),
      container: layer,
      viewport: pdfPage.getViewport({ scale }),
    });
    await text.render();
    frame.replaceChildren(canvas, layer);
  }

  function clear() {
    if (!drawing) return;
    drawing.then(
      () => frame.replaceChildren(),
      () => undefined,
    );
    drawing = undefined;
  }
}

/** Sends the form that people without this script press, and stays on the page. */
async function recordVisit() {
  const form = document.getElementById('visit');
  if (!form) return;
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
  if (answer.type === 'opaqueredirect') document.getElementById('open-first')?.remove();
}
