// An event with every field that says where it is, how to join it and how it is shown.

export const everyDetail = {
  location: 'Room 4, Invalidenstraße 1; Berlin',
  conference: {
    url: 'https://meet.example.com/abc-defg-hij',
    provider: 'Meet',
    pin: '123 456#',
    phone: '+49 30 1234567',
  },
  transparency: 'transparent',
  visibility: 'private',
  labels: ['team', 'Plan, B'],
  color: 'cornflowerblue',
  links: [
    { url: 'https://example.com/agenda.pdf', title: 'The "agenda"; draft', type: 'application/pdf' },
    { url: 'https://example.com/board' },
  ],
}
