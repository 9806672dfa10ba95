import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The only accent colour. White text has a contrast of 6.4:1 on shade 6 (light theme) and 4.8:1 on shade 5 (dark theme). */
const cobalt: MantineColorsTuple = [
  '#eef1ff',
  '#e4e9ff',
  '#bcc7ff',
  '#9db1ff',
  '#8599ff',
  '#4a66ea',
  '#2f4fdc',
  '#2540bd',
  '#1e3498',
  '#182a78',
];

/** Text in shade 6 has a contrast of at least 4.9:1 on every light background used here. */
const gray: MantineColorsTuple = [
  '#f7f7f8',
  '#efeff1',
  '#e3e4e7',
  '#d3d5d9',
  '#b4b7be',
  '#8d919a',
  '#63676f',
  '#4c5058',
  '#34373e',
  '#1c1e23',
];

/**
 * Shade 7 is the background of the page, shade 6 the background of surfaces on the page, and shade 2 the colour of
 * dimmed text (contrast 6:1).
 */
const dark: MantineColorsTuple = [
  '#e9eaec',
  '#c6c9cf',
  '#a1a5ad',
  '#7d818a',
  '#454952',
  '#32353d',
  '#202329',
  '#16181c',
  '#101215',
  '#0a0b0d',
];

/** Status colours. They are used only together with text, and never for decoration. */
const red: MantineColorsTuple = [
  '#fff1f0',
  '#ffdfdc',
  '#ffbdb7',
  '#ff9d95',
  '#ff8177',
  '#d93a2d',
  '#c8281c',
  '#a81f15',
  '#861912',
  '#67130e',
];
const green: MantineColorsTuple = [
  '#eaf8ef',
  '#d2f0dd',
  '#a5e1bb',
  '#76d096',
  '#4cc27e',
  '#178748',
  '#137a41',
  '#106535',
  '#0c502a',
  '#083b1f',
];
const yellow: MantineColorsTuple = [
  '#fdf5e4',
  '#fae7c2',
  '#f4d088',
  '#edbc58',
  '#e0a83a',
  '#9c6400',
  '#8f5a00',
  '#774b00',
  '#5e3b00',
  '#462c00',
];

const headings = { fontWeight: '600', lineHeight: '1.3' };

/** The style of a dialog's or drawer's title. */
const TITLE = { title: { fontWeight: 600 } };

/** The Mantine theme. docs/style.md gives the reasons for its choices. */
export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: { light: 6, dark: 5 },
  colors: { cobalt, blue: cobalt, gray, dark, red, green, teal: green, yellow, orange: yellow },
  black: '#1c1e23',
  // The last four fonts contain Bengali letters: one for Android and Linux, one for Windows, and two for Apple's
  // systems.
  fontFamily:
    "Taka, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'Noto Sans Bengali', 'Nirmala UI', 'Kohinoor Bangla', 'Bangla Sangam MN', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Liberation Mono', monospace",
  fontSizes: {
    xs: '0.75rem',
    sm: '0.875rem',
    md: '1rem',
    lg: '1.375rem',
    xl: 'clamp(1.75rem, 1.3rem + 1.9vw, 2.5rem)',
  },
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.55', lg: '1.3', xl: '1.15' },
  headings: {
    fontWeight: headings.fontWeight,
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'var(--mantine-font-size-xl)', fontWeight: '700', lineHeight: '1.15' },
      h2: { fontSize: 'var(--mantine-font-size-lg)', ...headings },
      h3: { fontSize: 'var(--mantine-font-size-md)', ...headings },
      h4: { fontSize: 'var(--mantine-font-size-md)', ...headings },
      h5: { fontSize: 'var(--mantine-font-size-sm)', ...headings },
      h6: { fontSize: 'var(--mantine-font-size-sm)', ...headings },
    },
  },
  spacing: {
    xs: 'var(--space-1)',
    sm: 'var(--space-2)',
    md: 'var(--space-4)',
    lg: 'var(--space-6)',
    xl: 'var(--space-8)',
  },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Input text is 16 px, because phones zoom in on fields with smaller text.
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: {
      defaultProps: {
        size: 'md',
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': 'Show the password' },
      },
    },
    NumberInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: TITLE,
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } }, styles: TITLE },
    // A header inside a dialog or drawer must not act as the page's banner landmark.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Badge: {
      defaultProps: { radius: 'sm', variant: 'light' },
      styles: { label: { textTransform: 'none', letterSpacing: 0 } },
      vars: () => ({
        root: { '--badge-height': '1.25rem', '--badge-fz': 'var(--mantine-font-size-xs)', '--badge-padding-x': '8px' },
      }),
    },
  },
});

/**
 * Replaces the Mantine default colours that have a contrast below 4.5:1 and, in the dark theme, also those that can't
 * be told apart from the page's background.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-error': red[6], '--mantine-color-placeholder': gray[6] },
  dark: {
    '--mantine-color-error': red[4],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-gray-light': dark[5],
    '--mantine-color-green-light': green[9],
    '--mantine-color-red-light': red[9],
    '--mantine-color-yellow-light': yellow[9],
  },
});
