export interface Campaign {
  /** Day on which learners are enrolled. */
  date: string;
  course: string;
  /** Groups whose members are enrolled; omitted to enrol everybody. */
  groups?: string[];
  /** True to enrol only the learners who joined last. */
  newest?: boolean;
}

/** Campaigns by company. */
export const DEMO_CAMPAIGNS: Record<string, Campaign[]> = {
  distributor: [
    { date: '2024-11-25', course: 'gap-analysis' },
    { date: '2025-03-24', course: 'spear-phishing-and-business-email-compromise' },
    { date: '2025-10-20', course: 'data-protection-and-gdpr' },
    { date: '2026-05-04', course: 'ai-tools-and-deepfakes' },
    { date: '2026-11-16', course: 'multi-factor-authentication', newest: true },
  ],
  msp: [
    { date: '2024-10-21', course: 'gap-analysis' },
    { date: '2025-02-10', course: 'reporting-incidents' },
    { date: '2025-06-02', course: 'privileged-accounts', groups: ['Service Desk'] },
    { date: '2025-11-03', course: 'social-engineering-by-phone' },
    { date: '2026-03-23', course: 'ai-tools-and-deepfakes' },
    { date: '2026-09-28', course: 'malware-and-ransomware' },
    { date: '2026-11-17', course: 'mobile-devices', newest: true },
  ],
  tenant: [
    { date: '2024-10-07', course: 'gap-analysis' },
    { date: '2024-11-04', course: 'phishing-basics' },
    { date: '2025-01-13', course: 'passwords-and-password-managers' },
    { date: '2025-03-10', course: 'malware-and-ransomware' },
    { date: '2025-05-12', course: 'data-protection-and-gdpr' },
    { date: '2025-06-16', course: 'acme-visitors-and-contractors', groups: ['Operations', 'Human Resources'] },
    { date: '2025-06-23', course: 'privileged-accounts', groups: ['IT and Security'] },
    { date: '2025-09-08', course: 'reporting-incidents' },
    {
      date: '2025-10-06',
      course: 'spear-phishing-and-business-email-compromise',
      groups: ['Finance', 'Procurement', 'Executive Board', 'Phishing Champions'],
    },
    { date: '2025-11-10', course: 'multi-factor-authentication' },
    { date: '2026-02-09', course: 'safe-remote-work', groups: ['Remote Workers', 'Customer Care', 'Sales'] },
    { date: '2026-03-09', course: 'ai-tools-and-deepfakes' },
    {
      date: '2026-04-20',
      course: 'acme-customer-drawings',
      groups: ['Research and Development', 'Procurement', 'Sales'],
    },
    {
      date: '2026-05-18',
      course: 'social-engineering-by-phone',
      groups: ['Customer Care', 'Human Resources', 'Legal'],
    },
    { date: '2026-06-15', course: 'physical-security-and-clean-desk', groups: ['Sheffield Office', 'Werk Göppingen'] },
    { date: '2026-09-21', course: 'spear-phishing-and-business-email-compromise', groups: ['Marketing', 'Legal'] },
    { date: '2026-10-19', course: 'mobile-devices' },
    { date: '2026-11-16', course: 'social-engineering-by-phone', newest: true },
    { date: '2026-11-17', course: 'safe-remote-work', newest: true },
  ],
  otherTenant: [
    { date: '2024-11-18', course: 'gap-analysis' },
    { date: '2025-01-20', course: 'phishing-basics' },
    { date: '2025-05-19', course: 'passwords-and-password-managers' },
    { date: '2025-10-13', course: 'supplier-bank-details', groups: ['Head Office', 'Logistics'] },
    { date: '2026-02-16', course: 'malware-and-ransomware' },
    { date: '2026-06-08', course: 'reporting-incidents' },
    { date: '2026-09-14', course: 'social-engineering-by-phone', groups: ['Head Office'] },
    { date: '2026-11-11', course: 'physical-security-and-clean-desk', groups: ['New Starters'] },
    { date: '2026-11-16', course: 'mobile-devices', groups: ['New Starters'] },
  ],
  dental: [
    { date: '2024-11-11', course: 'gap-analysis' },
    { date: '2025-02-03', course: 'data-protection-and-gdpr' },
    { date: '2025-05-05', course: 'patient-records' },
    { date: '2025-09-15', course: 'phishing-basics' },
    { date: '2026-01-26', course: 'social-engineering-by-phone', groups: ['Reception'] },
    { date: '2026-04-13', course: 'malware-and-ransomware' },
    { date: '2026-09-14', course: 'multi-factor-authentication' },
    { date: '2026-11-12', course: 'reporting-incidents', newest: true },
  ],
  logistics: [
    { date: '2025-01-27', course: 'phishing-basics' },
    { date: '2025-06-30', course: 'mobile-devices', groups: ['Fahrer', 'Disposition'] },
    { date: '2025-10-27', course: 'passwords-and-password-managers' },
    { date: '2026-03-16', course: 'physical-security-and-clean-desk', groups: ['Lager'] },
    { date: '2026-08-31', course: 'malware-and-ransomware' },
    { date: '2026-11-13', course: 'reporting-incidents', newest: true },
  ],
  atelier: [
    { date: '2024-12-02', course: 'gap-analysis' },
    { date: '2025-03-17', course: 'phishing-basics' },
    { date: '2025-09-29', course: 'spear-phishing-and-business-email-compromise', groups: ['Équipe de direction'] },
    { date: '2026-01-12', course: 'multi-factor-authentication' },
    { date: '2026-05-26', course: 'ai-tools-and-deepfakes', groups: ['Création', 'Équipe de direction'] },
    { date: '2026-10-05', course: 'reporting-incidents' },
    { date: '2026-11-16', course: 'mobile-devices', newest: true },
  ],
  prospect: [
    { date: '2025-06-09', course: 'gap-analysis' },
    { date: '2026-04-27', course: 'phishing-basics' },
    { date: '2026-10-26', course: 'data-protection-and-gdpr' },
    { date: '2026-11-16', course: 'reporting-incidents', newest: true },
  ],
};
