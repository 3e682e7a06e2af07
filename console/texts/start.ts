export const start = {
  checklist: 'Checklist',
  isDone: 'Done',
  toDo: 'To do',
  steps: {
    address: 'Prove your address',
    key: 'Create a key',
    agent: 'Create an agent',
    calendar: 'Create a calendar',
    event: 'Add an event',
    webhook: 'Add a webhook',
    delivery: 'Receive a delivery',
  },
  needsAttention: 'Needs attention',
  nothingWanting: 'Everything works.',
  off: 'Off',
}
