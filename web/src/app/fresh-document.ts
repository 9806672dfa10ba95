const ANSWER_TIMEOUT = 10_000;
const REPLACED_KEY = 'replacedBuild';

const page = (method: 'GET' | 'HEAD') =>
  fetch('/', {
    method,
    cache: 'no-store',
    headers: { accept: 'text/html' },
    signal: AbortSignal.timeout(ANSWER_TIMEOUT),
  });

/**
 * Loads the document anew where the shop can be reached; the browser would else put an error page of its own in place of
 * this one. Returns whether it does.
 */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    if (!(await page('HEAD')).ok) return false;
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/**
 * Loads the document anew where the shop has been put up in a newer version since, whose scripts have replaced those of
 * this page. Once for each version: a page that comes from a cache would otherwise be loaded for ever.
 */
export async function reloadIfReplaced(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src');
  if (!own || sessionStorage.getItem(REPLACED_KEY) === own) return;
  try {
    const answer = await page('GET');
    if (!answer.ok || (await answer.text()).includes(own)) return;
  } catch {
    return;
  }
  sessionStorage.setItem(REPLACED_KEY, own);
  window.location.reload();
}
