import { configure } from '@testing-library/react';

// How long a test waits for what it looks for, in ms: on a busy machine a second is short.
configure({ asyncUtilTimeout: 5_000 });
