/** Learner profile in report rows if all its fields are empty. */
export const noProfile = {
  department: null,
  jobTitle: null,
  country: null,
  location: null,
  timeZone: null,
  managerId: null,
};

/** Builds the profile in report rows from a row of `learners`. */
export function toProfile(learner: Record<string, unknown>): object {
  return {
    department: learner.department,
    jobTitle: learner.job_title,
    country: learner.country,
    location: learner.location,
    timeZone: learner.time_zone,
    managerId: learner.manager_id,
  };
}

/** The columns of the profile in CSV files. */
export const PROFILE_COLUMNS = ['department', 'jobTitle', 'country', 'location', 'timeZone', 'managerId'];
