import { configure } from '@testing-library/react';

// Queries wait for an element for this long, in ms. On a busy machine, the default of one second is too short.
configure({ asyncUtilTimeout: 5_000 });
