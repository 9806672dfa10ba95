// Runs before the first paint: a dark page must not flash white.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Without storage the system's choice stands.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const scheme = kept === 'light' || kept === 'dark' ? kept : system;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();

// A page that the server has made can be pressed before its scripts are there (src/app/early-acts.ts).
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
