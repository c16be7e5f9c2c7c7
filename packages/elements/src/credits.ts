/** Credits as a person reads them: thousands grouped, no zeros at the end of the fraction. The text stays exact. */
export const shownCredits = (text: string): string => {
  const [whole = '0', fraction = ''] = text.replace(/^-/u, '').split('.', 2);
  const rest = fraction.replace(/0+$/u, '');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, '\u202F');
  return `${text.startsWith('-') ? '\u2212' : ''}${grouped}${rest === '' ? '' : `.${rest}`}`;
};
