require 'json'
require 'openapi_client'
require 'uri'

OpenapiClient.configure do |config|
  service = URI(ENV.fetch('SERVICE_URL'))
  config.scheme = service.scheme
  config.host = "#{service.host}:#{service.port}"
  config.base_path = service.path
  config.access_token = ENV.fetch('SERVICE_KEY')
end

LEARNERS = OpenapiClient::LearnersApi.new
POLICIES = OpenapiClient::PoliciesApi.new

# Makes a call and prints its result or its error.
def tell(name)
  words = begin
    yield
  rescue StandardError => error
    "! #{error.message}"
  end
  puts "#{name}: #{words.split.join(' ')}"
end

def error_of(learner_id)
  LEARNERS.get_learner(learner_id)
  raise 'there is such a learner'
rescue OpenapiClient::ApiError => failure
  OpenapiClient::ErrorResponse.build_from_hash(JSON.parse(failure.response_body)).error
end

tell('list') do
  data = POLICIES.list_policies.data
  "#{data.size} policies, #{data.count { |policy| policy.category.nil? }} uncategorised"
end
tell('report') do
  data = OpenapiClient::ReportsApi.new.get_learning_report.data
  ungraded = data.rows.count { |row| row.grade.nil? }
  average = format('%.2f', data.summary.average_score)
  "#{data.rows.size} rows, #{ungraded} ungraded, #{data.summary.passed_count} passed, #{average}"
end
tell('missing') do
  error = error_of('nobody')
  "#{error.code}, #{error.details.size} details"
end
tell('bulk') do
  rows = [ENV.fetch('EMAIL'), 'ada@gmail.com'].map do |email|
    OpenapiClient::LearnerCreationItem.new(email: email, first_name: 'Ada', last_name: 'Byron')
  end
  data = LEARNERS.create_learners(OpenapiClient::CreateLearnersInput.new(learners: rows)).data
  "#{data.success}, #{data.errors.map { |error| "#{error.index} #{error.code}" }.join(', ')}"
end
tell('upload') { POLICIES.upload_policy_file(File.new(ENV.fetch('PDF_FILE'))).data.sha256 }
tell('deletion') do
  input = OpenapiClient::DeleteLearnersInput.new(learner_ids: [ENV.fetch('LEARNER_ID')])
  LEARNERS.delete_learners(input).data.to_s
end
tell('newer') do
  "#{error_of('newer').code}, #{OpenapiClient::SimulationsApi.new.list_simulations.data[0].status}"
end
