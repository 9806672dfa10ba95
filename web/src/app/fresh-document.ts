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
 * Reloads the document, but only if the shop can be reached, because a failed reload would replace this page with the
 * browser's error page. Returns whether the document is being reloaded.
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
 * Reloads the document if a newer version of the shop has been deployed and has replaced this page's scripts. Does so
 * only once for each version of the page, because a page from a stale cache would otherwise reload forever.
 */
export async function reloadIfReplaced(): Promise<void> {
  // The last script is the app's entry script, whose URL changes with every version. Earlier scripts can keep their
  // URLs.
  const own = [...document.querySelectorAll('script[type="module"][src]')].at(-1)?.getAttribute('src');
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
