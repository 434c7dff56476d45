import { Router } from 'express';
import { refuseMethod } from '../../http/guards.ts';
import { oncePerKey } from '../../http/once.ts';
import { briefResponse, sendStatic } from '../../http/response/static-response.ts';
import { type PreparedIndex, prepare, search, type SearchEntry } from '../assets/rank.js';
import { textPage } from '../layout.ts';
import { SEARCH, SEARCH_INDEX } from '../pages.ts';
import { html, type Site, type SiteFiles } from '../site.ts';
import { searchResults } from './search-page.ts';

const MAX_QUERY_LENGTH = 100;

/** Creates the route of the page with search results, for readers whose browsers do not run scripts. */
export function searchRoutes({ files, frame }: Site): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const index = oncePerKey<PreparedIndex>();
  router.get(SEARCH.path, async (req, res) => {
    const { q } = req.query;
    const query = typeof q === 'string' ? q.slice(0, MAX_QUERY_LENGTH).trim() : '';
    const groups = query === '' ? [] : search(await index('', () => prepareIndex(files)), query);
    const page = textPage({
      ...frame,
      path: SEARCH.path,
      title: query === '' ? SEARCH.name : `${query} · ${SEARCH.name}`,
      description: 'Search the guides, operations, schemas, errors and events.',
      content: searchResults(query, groups),
      hasMarkdown: false,
      query,
    });
    const { body, headers } = html(page);
    await sendStatic(req, res, briefResponse(body, { ...headers, 'X-Robots-Tag': 'noindex' }));
  });
  router.all(SEARCH.path, refuseMethod('GET', 'HEAD'));
  return router;
}

async function prepareIndex(files: SiteFiles): Promise<PreparedIndex> {
  const { body } = await files.get(SEARCH_INDEX)!();
  return prepare(JSON.parse(body.toString()) as SearchEntry[]);
}
