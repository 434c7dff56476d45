package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var (
	api   *client.APIClient
	keyed = context.WithValue(context.Background(), client.ContextAccessToken, serviceKey)
)

func errorOf(learnerID string) client.ErrorDetail {
	_, _, err := api.LearnersAPI.GetLearner(keyed, learnerID).Execute()
	var failure *client.GenericOpenAPIError
	errors.As(err, &failure)
	return failure.Model().(client.ErrorResponse).Error
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: serviceURL}}
	api = client.NewAPIClient(configuration)
	tell("list", func() (string, error) {
		answer, _, err := api.PoliciesAPI.ListPolicies(keyed).Execute()
		if err != nil {
			return "", err
		}
		uncategorised := 0
		for _, policy := range answer.Data {
			if policy.Category.Get() == nil {
				uncategorised++
			}
		}
		return policies(len(answer.Data), uncategorised), nil
	})
	tell("report", func() (string, error) {
		answer, _, err := api.ReportsAPI.GetLearningReport(keyed).Execute()
		if err != nil {
			return "", err
		}
		ungraded := 0
		for _, row := range answer.Data.Rows {
			if row.Grade.Get() == nil {
				ungraded++
			}
		}
		summary := answer.Data.Summary
		return report(len(answer.Data.Rows), ungraded, summary.PassedCount, *summary.AverageScore.Get()), nil
	})
	tell("missing", func() (string, error) {
		failure := errorOf("nobody")
		return missing(failure.Code, len(failure.Details)), nil
	})
	tell("bulk", func() (string, error) {
		rows := []client.LearnerCreationItem{}
		for _, email := range emails {
			rows = append(rows, *client.NewLearnerCreationItem(email, "Ada", "Byron"))
		}
		input := client.NewCreateLearnersInput(rows)
		answer, _, err := api.LearnersAPI.CreateLearners(keyed).CreateLearnersInput(*input).Execute()
		if err != nil {
			return "", err
		}
		refused := []string{}
		for _, row := range answer.Data.Errors {
			refused = append(refused, fmt.Sprintf("%d %s", row.Index, row.Code))
		}
		return bulk(answer.Data.Success, refused), nil
	})
	tell("upload", func() (string, error) {
		pdf, err := os.Open(pdfFile)
		if err != nil {
			return "", err
		}
		answer, _, err := api.PoliciesAPI.UploadPolicyFile(keyed).File(pdf).Execute()
		if err != nil {
			return "", err
		}
		return answer.Data.Sha256, nil
	})
	tell("deletion", func() (string, error) {
		input := client.NewDeleteLearnersInput([]string{learnerID})
		answer, _, err := api.LearnersAPI.DeleteLearners(keyed).DeleteLearnersInput(*input).Execute()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(answer.Data), nil
	})
	tell("newer", func() (string, error) {
		answer, _, err := api.SimulationsAPI.ListSimulations(keyed).Execute()
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %s", errorOf("newer").Code, answer.Data[0].Status), nil
	})
}
