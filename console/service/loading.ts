import { createStore } from '../state/store.ts'

/** How many reads the screen waits for. */
export const loading = createStore(0)
