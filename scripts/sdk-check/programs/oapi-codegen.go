package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"

	"client"

	"github.com/google/uuid"
)

var (
	api        *client.ClientWithResponses
	background = context.Background()
)

func authorize(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+serviceKey)
	return nil
}

// form builds the form of an upload, which oapi-codegen leaves to its users.
func form() (string, io.Reader, error) {
	pdf, err := os.ReadFile(pdfFile)
	if err != nil {
		return "", nil, err
	}
	body := &bytes.Buffer{}
	writer := multipart.NewWriter(body)
	part, err := writer.CreateFormFile("file", "acceptable-use.pdf")
	if err != nil {
		return "", nil, err
	}
	if _, err := part.Write(pdf); err != nil {
		return "", nil, err
	}
	return writer.FormDataContentType(), body, writer.Close()
}

func main() {
	api, _ = client.NewClientWithResponses(serviceURL, client.WithRequestEditorFn(authorize))
	tell("list", func() (string, error) {
		answer, err := api.ListPoliciesWithResponse(background, nil)
		if err != nil {
			return "", err
		}
		uncategorised := 0
		for _, policy := range answer.JSON200.Data {
			if policy.Category == nil {
				uncategorised++
			}
		}
		return policies(len(answer.JSON200.Data), uncategorised), nil
	})
	tell("report", func() (string, error) {
		answer, err := api.GetLearningReportWithResponse(background, nil)
		if err != nil {
			return "", err
		}
		data := answer.JSON200.Data
		ungraded := 0
		for _, row := range data.Rows {
			if row.Grade == nil {
				ungraded++
			}
		}
		return report(len(data.Rows), ungraded, data.Summary.PassedCount, *data.Summary.AverageScore), nil
	})
	tell("missing", func() (string, error) {
		answer, err := api.GetLearnerWithResponse(background, "nobody", nil)
		if err != nil {
			return "", err
		}
		return missing(string(answer.JSON404.Error.Code), len(answer.JSON404.Error.Details)), nil
	})
	tell("bulk", func() (string, error) {
		rows := []client.LearnerCreationItem{}
		for _, email := range emails {
			rows = append(rows, client.LearnerCreationItem{Email: email, FirstName: "Ada", LastName: "Byron"})
		}
		answer, err := api.CreateLearnersWithResponse(background, nil, client.CreateLearnersInput{Learners: rows})
		if err != nil {
			return "", err
		}
		refused := []string{}
		for _, row := range answer.JSON200.Data.Errors {
			refused = append(refused, fmt.Sprintf("%d %s", row.Index, row.Code))
		}
		return bulk(answer.JSON200.Data.Success, refused), nil
	})
	tell("upload", func() (string, error) {
		contentType, body, err := form()
		if err != nil {
			return "", err
		}
		answer, err := api.UploadPolicyFileWithBodyWithResponse(background, nil, contentType, body)
		if err != nil {
			return "", err
		}
		return answer.JSON200.Data.Sha256, nil
	})
	tell("deletion", func() (string, error) {
		input := client.DeleteLearnersInput{LearnerIds: []uuid.UUID{uuid.MustParse(learnerID)}}
		answer, err := api.DeleteLearnersWithResponse(background, nil, input)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(answer.JSON200.Data), nil
	})
	tell("newer", func() (string, error) {
		failure, err := api.GetLearnerWithResponse(background, "newer", nil)
		if err != nil {
			return "", err
		}
		answer, err := api.ListSimulationsWithResponse(background, nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %s", failure.JSON403.Error.Code, answer.JSON200.Data[0].Status), nil
	})
}
