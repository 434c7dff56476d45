package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"client"
)

var (
	api        *client.Client
	background = context.Background()
)

func errorOf(learnerID string) (client.ErrorDetail, error) {
	_, err := api.GetLearner(background, learnerID, nil)
	var failure *client.APIError
	if !errors.As(err, &failure) {
		return client.ErrorDetail{}, err
	}
	text, err := json.Marshal(failure.Body)
	if err != nil {
		return client.ErrorDetail{}, err
	}
	var answer client.ErrorResponse
	err = json.Unmarshal(text, &answer)
	return answer.Error, err
}

func main() {
	key := func() string { return serviceKey }
	api = client.New(client.Config{ServerURL: serviceURL, Auth: client.Auth{Bearer: key}})
	tell("list", func() (string, error) {
		answer, err := api.ListPolicies(background, nil)
		uncategorised := 0
		for _, policy := range answer.Data {
			if policy.Category == nil {
				uncategorised++
			}
		}
		return policies(len(answer.Data), uncategorised), err
	})
	tell("report", func() (string, error) {
		answer, err := api.GetLearningReport(background, nil)
		if err != nil {
			return "", err
		}
		ungraded := 0
		for _, row := range answer.Data.Rows {
			if row.Grade == nil {
				ungraded++
			}
		}
		summary := answer.Data.Summary
		return report(len(answer.Data.Rows), ungraded, summary.PassedCount, *summary.AverageScore), nil
	})
	tell("missing", func() (string, error) {
		failure, err := errorOf("nobody")
		return missing(failure.Code, len(failure.Details)), err
	})
	tell("bulk", func() (string, error) {
		rows := []client.LearnerCreationItem{}
		for _, email := range emails {
			rows = append(rows, client.LearnerCreationItem{Email: email, FirstName: "Ada", LastName: "Byron"})
		}
		answer, err := api.CreateLearners(background, client.CreateLearnersInput{Learners: rows})
		refused := []string{}
		for _, row := range answer.Data.Errors {
			refused = append(refused, fmt.Sprintf("%d %s", row.Index, row.Code))
		}
		return bulk(answer.Data.Success, refused), err
	})
	tell("upload", func() (string, error) {
		pdf, err := os.ReadFile(pdfFile)
		if err != nil {
			return "", err
		}
		answer, err := api.UploadPolicyFile(background, client.UploadPolicyFileInput{File: string(pdf)})
		return answer.Data.Sha256, err
	})
	tell("deletion", func() (string, error) {
		answer, err := api.DeleteLearners(background, client.DeleteLearnersInput{LearnerIds: []string{learnerID}})
		return fmt.Sprint(answer.Data), err
	})
	tell("newer", func() (string, error) {
		failure, err := errorOf("newer")
		if err != nil {
			return "", err
		}
		answer, err := api.ListSimulations(background, nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %s", failure.Code, answer.Data[0].Status), nil
	})
}
