// A reading that a test holds: it says that it has begun, and ends when it is told to.
const [begun, released] = [0, 1]

export const newHold = () => new Int32Array(new SharedArrayBuffer(8))

export function readHeld(_bytes: Uint8Array, hold: Int32Array): string {
  Atomics.store(hold, begun, 1)
  Atomics.wait(hold, released, 0)
  return 'read'
}

export const hasBegun = (hold: Int32Array): boolean => Atomics.load(hold, begun) === 1

export function release(hold: Int32Array): void {
  Atomics.store(hold, released, 1)
  Atomics.notify(hold, released)
}
