// Long work in slices: after a few milliseconds the rest of the process gets a turn.
const sliceMs = 4

/** Says true when a slice is over, and begins the next one. */
export function slicer(): () => boolean {
  let end = performance.now() + sliceMs
  return () => {
    const now = performance.now()
    if (now < end) return false
    end = now + sliceMs
    return true
  }
}
