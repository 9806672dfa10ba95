import { configure } from '@testing-library/react';

// How long queries wait for an element, in ms. On a busy machine, the default of one second is too short.
configure({ asyncUtilTimeout: 5_000 });
