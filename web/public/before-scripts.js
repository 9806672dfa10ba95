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

// A page that the server has made is shown before its scripts are loaded; a hidden tab is never painted.
addEventListener('DOMContentLoaded', () => {
  const scripts = document.getElementById('scripts');
  const load = () => {
    if (scripts) document.head.append(scripts.content);
  };
  requestAnimationFrame(() => setTimeout(load));
  setTimeout(load, 1000);
});

// It can be pressed before its scripts are there (src/app/early-acts.ts).
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
