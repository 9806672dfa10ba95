// Sets the colour scheme before the first paint. Otherwise, a dark page would flash white first.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // If the browser's storage is unavailable, the system's colour scheme applies.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const scheme = kept === 'light' || kept === 'dark' ? kept : system;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();

// Loads the scripts of a prerendered page after its first paint. The server puts them into a template, so that they
// don't delay the paint. The timeout is for a hidden tab, which the browser doesn't paint.
addEventListener('DOMContentLoaded', () => {
  const scripts = document.getElementById('scripts');
  const load = () => {
    if (scripts) document.head.append(scripts.content);
  };
  requestAnimationFrame(() => setTimeout(load));
  setTimeout(load, 1000);
});

// Records the buttons that are pressed before the page's scripts run. src/app/hand-over/early-acts.ts then repeats the presses.
(() => {
  const pressed = [];
  const remember = ({ target }) => {
    const button = target.closest('button');
    if (button) pressed.push(button);
  };
  addEventListener('click', remember, true);
  window.takeEarlyPresses = () => {
    removeEventListener('click', remember, true);
    return pressed;
  };
})();
