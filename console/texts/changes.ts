export const changes = {
  changes: 'Changes',
  live: 'Live',
  types: 'Types',
  fromTheOldest: 'From the oldest',
  readOn: 'Read on',
  cause: 'Cause',
  showPayload: (id: string) => `Show payload of ${id}`,
  payload: 'Payload',
  noPayload: 'This change has no payload.',
  waitingForChanges: 'The list begins now and grows as things change. “From the oldest” shows what happened before.',
}
